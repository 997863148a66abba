import type { Command } from 'commander'

/** Refuses options whose value was left out: an empty text, or the option after it, which would else be a file of that name. */
export function refuseMissingValues(program: Command): void {
  program.hook('preAction', (_program, command) => {
    for (const option of command.options) {
      for (const value of [command.getOptionValue(option.attributeName())].flat()) {
        if (value === '')
          refuse(command, `option '${option.flags}' argument '' is invalid. it is empty: is a variable of the shell not set?`)
        if (typeof value === 'string' && value.startsWith('-'))
          refuse(command, `option '${option.flags}' argument missing: ${value} stands in its place (a file of that name is ./${value})`)
      }
    }
  })
}

const refuse = (command: Command, what: string): never => command.error(`error: ${what}`)
