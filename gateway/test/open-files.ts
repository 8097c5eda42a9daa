import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'

const descriptors = '/proc/self/fd'

/** Returns the files in a folder that this process has open, also those that are gone; none where the system does not tell. */
export const openFilesIn = (folder: string): string[] =>
  existsSync(descriptors)
    ? readdirSync(descriptors)
        .map((descriptor) => targetOf(`${descriptors}/${descriptor}`))
        .filter((path) => path.startsWith(`${realpathSync(folder)}/`))
    : []

/** The descriptor that read the folder is closed by then. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
