import { useLayoutEffect, useRef, useState } from 'react'

import { roomOf, type Room } from './room'

/** Measures the table's frame: the room of its columns, and where on the page it begins, for the height of its body. */
export function useFrame() {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<Room>('wide')
  useLayoutEffect(() => {
    const frame = ref.current
    if (!frame) return undefined
    const measure = () => {
      const { top, width } = frame.getBoundingClientRect()
      frame.style.setProperty('--table-top', `${Math.round(top + window.scrollY)}px`)
      setRoom(roomOf(width))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    // What stands above the table moves it without changing its size.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  return { ref, room }
}
