import type { Command } from 'commander'

/** An unset variable of the shell leaves an empty text, which would otherwise be the working folder, or the default. */
export function refuseEmptyOptions(program: Command): void {
  program.hook('preAction', (_program, command) => {
    for (const option of command.options) {
      const value: unknown = command.getOptionValue(option.attributeName())
      if (value === '' || (Array.isArray(value) && value.includes('')))
        command.error(`error: option '${option.flags}' argument '' is invalid. it is empty: is a variable of the shell not set?`)
    }
  })
}
