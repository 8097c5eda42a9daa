import { expect, test } from 'bun:test'

import { areAlive, decodeLaunchers, encodeLaunchers, launchersOf } from './launchers'

/** A table of processes from their command lines, each the parent of the next. */
function aTable(...commands: readonly string[]) {
  const facts = commands.map((command, index) => ({
    pid: index + 2,
    parent: index + 1,
    startedAt: `t${index}`,
    command,
    isZombie: false,
  }))
  return { own: commands.length + 1, factsOf: (pid: number) => facts.find((each) => each.pid === pid) ?? null }
}

test.each([
  ['npx', ['-bash', 'npm exec bun@1.4.5 start', "sh -c 'bun' start", 'bun start', 'bun scripts/start.ts'], 3],
  ['npx of an old npm', ['node /usr/bin/npx -y bun@1.4.5 start', 'bun start', 'gateway'], 2],
  ['bun at a prompt', ['/bin/zsh', '/opt/bin/bun start', 'bun scripts/start.ts'], 1],
  ['bun run below a service manager', ['/sbin/init', 'bun run start', 'gateway'], 1],
  [
    'a remote command that leaves it behind',
    ['bash -c nohup npx bun start &', 'npm exec bun', 'bun start', 'gateway'],
    2,
  ],
  ['a shell alone', ['sh -c tollgate', 'tollgate'], 0],
  ['a service manager', ['/lib/systemd/systemd', 'tollgate'], 0],
])('a gateway that was started by %s watches only the runners', (_how, commands, count) => {
  const { own, factsOf } = aTable(...commands)
  const launchers = launchersOf(own, factsOf)
  expect(launchers.map(({ pid }) => pid)).toEqual(Array.from({ length: count }, (_, index) => own - 1 - index))
  expect(decodeLaunchers(encodeLaunchers(launchers))).toEqual(launchers)
})

test('a launcher is dead when it is gone, a zombie, or its id belongs to another process', () => {
  const launchers = [{ pid: 7, startedAt: 'then' }]
  const facts = { pid: 7, parent: 1, startedAt: 'then', command: 'bun start', isZombie: false }
  expect(areAlive(launchers, () => facts)).toBe(true)
  expect(areAlive(launchers, () => null)).toBe(false)
  expect(areAlive(launchers, () => ({ ...facts, isZombie: true }))).toBe(false)
  expect(areAlive(launchers, () => ({ ...facts, startedAt: 'later' }))).toBe(false)
})

test('this process is found to be alive', () => {
  expect(areAlive(decodeLaunchers(`${process.pid}@`))).toBe(true)
})

test.each(['', 'x', '12', '@3'])('%j names no launcher', (text) => expect(decodeLaunchers(text)).toEqual([]))
