# SPDX-License-Identifier: Apache-2.0
# Completion of helio in bash: commands and options as the command itself tells them, names that helio list prints, and files.
_helio() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} commands=() each
  for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $each == [a-z]* ]] || break
    commands+=("$each")
  done
  local said words=""
  while ! said=$(helio "${commands[@]}" --help 2>/dev/null) && ((${#commands[@]})); do unset "commands[-1]"; done
  case $before in
    --fabric) words=$(helio list fabrics | awk '{print $1}') ;;
    --algorithm) words=$(helio list algorithms | awk '{print $1}') ;;
    --npu) words=$(helio list npus | awk '{print $1}') ;;
    *)
      if [[ $word == -* ]]; then
        words=$(grep -oE '^ +(-[a-zA-Z],)?--[a-z-]+' <<<"$said" | grep -oE -- '--[a-z-]+')
      elif ((${#commands[@]} == 0 || COMP_CWORD == ${#commands[@]} + 1)); then
        words=$(sed -n '/^[A-Z ]*[Ss][Uu][Bb][Cc][Oo][Mm][Mm][Aa][Nn][Dd][Ss]:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' <<<"$said")
        [[ ${commands[*]} != describe ]] || words=$(helio list | awk '/^  /{print $1}')
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  ((${#COMPREPLY[@]})) || compopt -o default 2>/dev/null
}
complete -F _helio helio
