/** Width classes of a table. Its own width decides, so that a menu or a panel beside it counts too. */
const rooms = { narrow: 0, middle: 700, wide: 1000 } as const
export type Room = keyof typeof rooms

export const hasRoom = (room: Room, needed: Room = 'narrow'): boolean => rooms[room] >= rooms[needed]

/** Returns the class of a table of this width in pixels; a table without layout counts as wide. */
export function roomOf(width: number): Room {
  if (width === 0 || width >= rooms.wide) return 'wide'
  return width >= rooms.middle ? 'middle' : 'narrow'
}
