import { openLedgerAudit, type LedgerAudit } from '../ledger-audit'
import { freshDatabase, type FreshDatabase } from '../databases'
import { startGateway, type Gateway, type GatewayOptions } from '../gateway'
import { openGate, type TcpGate } from '@tollgate/simulator'
import { aProcessWorld, untilAllKnow, type ProcessWorld, type WorldOptions } from '../world'

/** Two gateways on one PostgreSQL. */
export interface Pair extends AsyncDisposable {
  /** The first gateway's world. */
  readonly world: ProcessWorld
  readonly second: Gateway
  readonly database: FreshDatabase
  /** The gate between the first gateway and the database. */
  readonly gate: TcpGate
  readonly ledger: LedgerAudit
  /** Restarts one of them in the same folder and on the same port. */
  restart(gateway: Gateway): Promise<Gateway>
}

const secretKey = 'not-a-secret-but-long-enough-for-a-key'
const models = ['gpt-4o']

export async function aPair(options: WorldOptions = {}): Promise<Pair> {
  await using resources = new AsyncDisposableStack()
  const database = resources.use(await freshDatabase('postgres'))
  const url = new URL(database.url)
  const gate = resources.use(await openGate(Number(url.port || 5432)))
  url.host = `127.0.0.1:${gate.port}`
  const shared: GatewayOptions = {
    ...options.gateway,
    databaseUrl: database.url,
    env: { SECRET_KEY: secretKey, ...options.gateway?.env },
  }
  const world = resources.use(
    await aProcessWorld({ ...options, gateway: { ...shared, databaseUrl: url.href }, models }),
  )
  const second = resources.use(await startGateway(shared))
  const ledger = resources.use(openLedgerAudit(world.gateway.dataDir, database.url))
  await untilAllKnow(second, world.key, models)
  const running = resources.move()
  return {
    world,
    second,
    database,
    gate,
    ledger,
    restart: async ({ dataDir, port }) => running.use(await startGateway({ ...shared, dataDir, port })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
