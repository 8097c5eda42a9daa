import manifest from '../../package.json'

/** Of the release this code belongs to. */
export const version: string = manifest.version
