import packageJson from '../../package.json' with { type: 'json' }

/** What a log says it was made by. */
export const softwareVersions = (): { readonly cornerman: string; readonly node: string } => ({
  cornerman: packageJson.version,
  node: process.versions.node,
})
