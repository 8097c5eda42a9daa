import { useLayoutEffect, useRef, useState } from 'react'

import { watchPlace } from '../../lib/url/watch-place'
import { roomOf, type Room } from './room'

/** Measures the table's frame: the room for its columns, and its offset on the page for the height of its body. */
export function useFrame() {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<Room>('wide')
  useLayoutEffect(() => (ref.current ? watchPlace(ref.current, (width) => setRoom(roomOf(width))) : undefined), [])
  return { ref, room }
}
