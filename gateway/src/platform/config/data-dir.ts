export const defaultDataDir = './data'

/**
 * Returns the path of the data folder: all that the supervisor needs of the configuration, so that it does not load the code that checks
 * it.
 */
export const dataDirOf = (environment: Record<string, string | undefined>): string =>
  environment['DATA_DIR'] || defaultDataDir
