import manifest from '../../package.json'

/** The release this code belongs to. */
export const version: string = manifest.version
