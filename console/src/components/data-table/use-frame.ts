import { useLayoutEffect, useRef, useState } from 'react'

import { watchPlace } from '../../lib/watch-place'
import { roomOf, type Room } from './room'

/** Measures the table's frame: the room of its columns, and where on the page it begins, for the height of its body. */
export function useFrame() {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<Room>('wide')
  useLayoutEffect(() => (ref.current ? watchPlace(ref.current, (width) => setRoom(roomOf(width))) : undefined), [])
  return { ref, room }
}
