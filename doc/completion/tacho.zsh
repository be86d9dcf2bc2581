#compdef tacho
# Completion for tacho, which prints it itself.
source <(tacho completion zsh)
