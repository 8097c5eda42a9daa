import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const typingMs = 300

/**
 * The text of a field whose value is in the address of the page, which follows a moment later. Typing is reported after a pause. A value that
 * was reported leaves the text alone, as more may have been typed since; any other one, of a link or a button, replaces it.
 */
export function useTypedText(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value)
  /** Reported, but not in the address yet. */
  const underway = useRef<string[]>([])
  const report = (next: string) => {
    underway.current.push(next)
    onChange(next)
  }
  const reportSoon = useDebouncedCallback(report, typingMs)
  useEffect(() => {
    const at = underway.current.indexOf(value)
    underway.current = at < 0 ? [] : underway.current.slice(at + 1)
    if (at >= 0) return
    reportSoon.cancel()
    setText(value)
  }, [value, reportSoon])
  return {
    text,
    type: (next: string) => {
      setText(next)
      reportSoon(next)
    },
    /** Reports without a pause. */
    set: (next: string) => {
      reportSoon.cancel()
      setText(next)
      report(next)
    },
  }
}
