import type { Room } from '../../http/limits/byte-budget'

/** Less is not counted. */
const countedBytes = 256 * 1024

/** The memory of all calls that what waits in a session takes. */
export class SessionMemory {
  #counted = 0

  constructor(private readonly room: Room) {}

  /** Counts what waits now. Returns false where it is more than the gateway, or its user, may hold. */
  mayHold(bytes: number): boolean {
    const counted = bytes < countedBytes ? 0 : bytes
    const more = counted - this.#counted
    if (more === 0) return true
    try {
      if (more > 0) this.room.take(more)
      else this.room.hold(more)
      this.#counted = counted
      return true
    } catch {
      return false
    }
  }
}
