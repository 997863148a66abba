const IN_CLONE = 'src/cli/cornerman.js'
const AS_PACKAGE = 'node_modules/cornerman/dist/cli/cornerman.js'

/** The `Dockerfile` of a folder of bots, from that of the clone: the same but for the path of the command. */
export function dockerfileOf(ofClone: string): string {
  if (!ofClone.includes(`"${IN_CLONE}"`)) throw new Error(`the Dockerfile does not run ${IN_CLONE}`)
  return ofClone.replace(`"${IN_CLONE}"`, `"${AS_PACKAGE}"`)
}
