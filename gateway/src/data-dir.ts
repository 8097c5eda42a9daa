export const defaultDataDir = './data'

/** Where the data folder lies: all that the supervisor has to know of the configuration, so that it need not load what checks it. */
export const dataDirOf = (environment: Record<string, string | undefined>): string =>
  environment['DATA_DIR'] || defaultDataDir
