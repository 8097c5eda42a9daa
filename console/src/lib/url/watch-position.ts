/**
 * Reports the place of an element whenever it changes: its width to `onWidth`, its distance from the top of the page in its own
 * `--page-top`, so that its style can fill the rest of the window. Returns a function that stops it.
 */
export function watchPosition(element: HTMLElement, onWidth?: (width: number) => void): () => void {
  const measure = () => {
    const { top, width } = element.getBoundingClientRect()
    element.style.setProperty('--page-top', `${Math.round(top + window.scrollY)}px`)
    onWidth?.(width)
  }
  measure()
  const observer = new ResizeObserver(measure)
  observer.observe(element)
  // Content above moves it without changing its size.
  observer.observe(document.body)
  return () => observer.disconnect()
}
