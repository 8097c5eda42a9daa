import type { Arena, Served } from './arena'
import { balancedDiskFull } from './balanced-disk-full'
import type { Fault } from './fault'
import type { GatewayUnit } from './gateway-unit'
import type { Random } from './random'
import { scenesOf } from './scenes'
import { tamperWithJournals } from './tampering'

/** A fault that this machine or this configuration does not support, with the reason. */
interface Missing {
  readonly name: string
  readonly why: string
}

export interface Repertoire {
  readonly faults: readonly Fault[]
  readonly missing: readonly Missing[]
}

/** Returns all faults available here. */
export function repertoireOf(arena: Arena): Repertoire {
  const { postgres, redis, disk } = arena
  return joinRepertoires(
    present(processFaults(arena)),
    present(scenesOf(arena)),
    postgres ? present(postgresFaults(postgres)) : missing(['postgres'], 'SQLite needs none'),
    redis ? present(redisFaults(redis)) : missing(['redis'], 'not installed'),
    disk
      ? present([diskFull(disk), diskFullInFlight(disk)])
      : missing(['disk-full', 'disk-full-in-flight'], 'a tmpfs cannot be mounted'),
    disk && arena.gateways.length > 1
      ? present([balancedDiskFull(arena, disk)])
      : missing(['disk-full-balanced'], 'needs a tmpfs and two gateways'),
    Bun.which('prlimit') ? present([noFiles(arena)]) : missing(['no-files'], 'prlimit is not installed'),
    arena.gateways[0].options.clock
      ? present([clockJump(arena)])
      : missing(['clock-jump'], 'libfaketime is not installed'),
  )
}

const present = (faults: readonly Fault[]): Repertoire => ({ faults, missing: [] })
const missing = (names: readonly string[], why: string): Repertoire => ({
  faults: [],
  missing: names.map((name) => ({ name, why })),
})
const joinRepertoires = (...parts: readonly Repertoire[]): Repertoire => ({
  faults: parts.flatMap(({ faults }) => faults),
  missing: parts.flatMap(({ missing }) => missing),
})

function processFaults({ gateways }: Arena): Fault[] {
  const one = (random: Random): GatewayUnit => random.pick(gateways)
  return [
    {
      name: 'kill-worker',
      async strike(random) {
        const gateway = one(random)
        for (let kills = random.between(1, 4); kills > 0; kills -= 1) {
          for (const worker of random.some(gateway.workerIds(), 1)) gateway.killWorker(worker)
          await Bun.sleep(random.between(50, 400))
        }
      },
    },
    {
      name: 'kill-all',
      async strike(random) {
        const gateway = one(random)
        await gateway.kill()
        await restartGateway(gateway)
      },
    },
    {
      name: 'unreadable-records',
      async strike(random) {
        const gateway = one(random)
        await gateway.kill()
        tamperWithJournals(gateway, random)
        await restartGateway(gateway)
      },
    },
    {
      name: 'terminate',
      async strike(random) {
        const gateway = one(random)
        await gateway.stop()
        await restartGateway(gateway)
      },
    },
    {
      name: 'pause-worker',
      async strike(random) {
        const gateway = one(random)
        gateway.pause(random.some(gateway.workerIds(), 1))
        await Bun.sleep(random.between(300, 2500))
        gateway.resume()
      },
    },
    {
      name: 'pause-all',
      async strike(random) {
        const gateway = one(random)
        gateway.pause()
        await Bun.sleep(random.between(300, 2000))
        gateway.resume()
      },
    },
    {
      name: 'stall',
      async strike(random) {
        const gateway = one(random)
        for (let pulse = 0; pulse < 6; pulse += 1) {
          gateway.pause(gateway.workerIds())
          await Bun.sleep(random.between(50, 200))
          gateway.resume()
          await Bun.sleep(random.between(5, 50))
        }
      },
    },
  ]
}

/** Restarts a gateway, unless its database is down: then it starts when everything is healed. */
const restartGateway = (gateway: GatewayUnit): Promise<void> => gateway.start().catch(() => {})

function postgresFaults({ server, gate }: Served): Fault[] {
  const { process } = server
  return [
    ...(['fast', 'immediate'] as const).map((how) => ({
      name: `postgres-stop-${how}`,
      async strike(random: Random) {
        await process.stop(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
        await Bun.sleep(random.between(0, 1500))
        await process.start()
      },
    })),
    ...serverFaults('postgres', { server, gate }),
    {
      name: 'postgres-held',
      async strike(random) {
        gate.cut()
        gate.hang()
        await Bun.sleep(random.between(200, 1500))
        await gate.open()
      },
    },
    {
      name: 'postgres-cut',
      async strike() {
        gate.cut()
      },
    },
  ]
}

const redisFaults = (redis: Served): Fault[] => [
  {
    name: 'redis-stop',
    async strike(random) {
      await redis.server.process.stop('SIGTERM')
      await Bun.sleep(random.between(0, 1000))
      await redis.server.process.start()
    },
  },
  ...serverFaults('redis', redis),
]

/** Returns the faults of any server behind a gate. */
function serverFaults(name: string, { server, gate }: Served): Fault[] {
  const { process } = server
  return [
    {
      name: `${name}-kill`,
      async strike(random) {
        await process.kill()
        await Bun.sleep(random.between(0, 1500))
        await process.start()
      },
    },
    {
      name: `${name}-pause`,
      async strike(random) {
        process.pause()
        await Bun.sleep(random.between(300, 2500))
        process.resume()
      },
    },
    {
      name: `${name}-slow`,
      async strike(random) {
        gate.slow(random.between(5, 150))
        await Bun.sleep(random.between(300, 1500))
        await gate.open()
      },
    },
    {
      name: `${name}-refuses`,
      async strike(random) {
        gate.turnAway()
        if (random.next() < 0.5) gate.cut()
        await Bun.sleep(random.between(200, 1500))
        await gate.open()
      },
    },
  ]
}

const farthestJump = 7200

const clockJump = ({ gateways }: Arena): Fault => ({
  name: 'clock-jump',
  async strike(random) {
    const { clock } = random.pick(gateways).options
    clock?.jump(random.between(-farthestJump, farthestJump))
    await Bun.sleep(random.between(1000, 2000))
    clock?.jump(0)
  },
})

const diskFull = (disk: NonNullable<Arena['disk']>): Fault => ({
  name: 'disk-full',
  async strike(random) {
    disk.fill()
    await Bun.sleep(random.between(300, 1500))
    disk.empty()
  },
})

const callsInFlight = 60
/** Longer than a charge waits for disk space. */
const fullMs = 3500

const diskFullInFlight = (disk: NonNullable<Arena['disk']>): Fault => ({
  name: 'disk-full-in-flight',
  async strike(random, traffic) {
    traffic.burst(callsInFlight)
    await Bun.sleep(random.between(20, 80))
    disk.fill()
    await Bun.sleep(fullMs)
    disk.empty()
  },
})

const noFiles = ({ gateways }: Arena): Fault => ({
  name: 'no-files',
  async strike(random) {
    const gateway = random.pick(gateways)
    gateway.limitFiles(random.between(-10, 4))
    await Bun.sleep(random.between(300, 1500))
    gateway.unlimitFiles()
  },
})
