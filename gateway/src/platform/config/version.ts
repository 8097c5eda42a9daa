import manifest from '../../../../package.json'

/** The commit of the build; absent where the sources run as they are. */
declare const TOLLGATE_COMMIT: string | undefined

const commit = typeof TOLLGATE_COMMIT === 'string' ? TOLLGATE_COMMIT : ''

/** The release this code belongs to, with its commit as build metadata, as in `0.1.0+2a5a201a7f31`: https://semver.org/#spec-item-10 */
export const version: string = commit === '' ? manifest.version : `${manifest.version}+${commit}`
