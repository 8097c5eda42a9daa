import type { Context } from '../src/context'
import { pollTasks } from '../src/tasks/poll-tasks'
import type { FakeTime } from './fake-time'

/** Lets enough time pass for one poll of each open task, and polls them, as many times as there are rounds. */
export async function pollRounds(ctx: Context, clock: FakeTime, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    clock.advance(20_000)
    await pollTasks(ctx, new AbortController().signal)
  }
}
