import { familySource } from './family/family-source'
import { isConfigFile, readConfigFile, valueOf } from './litellm/config'
import { liteLlmSource } from './litellm/litellm-source'
import type { SiteSource } from './site-source'
import { openSource } from './source/open-source'

/** Where a site is. */
interface SiteLocation {
  readonly source: string
  /** The database of LiteLLM's virtual keys; empty: the one that its file names, if any. */
  readonly database: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** Opens the site to import. @throws ImportError where it cannot be read, or is not a site of one of the products. */
export const openSite = (location: SiteLocation, environment: Environment, nowSeconds: number): Promise<SiteSource> =>
  isConfigFile(location.source)
    ? openLiteLlm(location, environment, nowSeconds)
    : openFamily(location.source, nowSeconds)

async function openFamily(location: string, nowSeconds: number): Promise<SiteSource> {
  const database = await openSource(location)
  try {
    return await familySource(database, nowSeconds)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openLiteLlm(
  { source: path, database: named }: SiteLocation,
  environment: Environment,
  nowSeconds: number,
): Promise<SiteSource> {
  const config = readConfigFile(path)
  const { master_key: master, database_url: configured } = config.general_settings ?? {}
  const url = named || valueOf(configured, environment)
  const database = url === '' ? null : await openSource(url)
  const source = database && { database, tables: await database.tables() }
  return liteLlmSource({ config, masterKey: valueOf(master, environment), source, environment, nowSeconds })
}
