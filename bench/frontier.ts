/** What one number of connections reached. */
export interface Point {
  readonly connections: number
  readonly callsPerSecond: number
  /** Milliseconds. */
  readonly p99: number
}

/** The point of the highest throughput whose p99 is within the bound; null when none is. */
export function frontierOf(points: readonly Point[], boundMs: number): Point | null {
  return points
    .filter(({ p99 }) => p99 <= boundMs)
    .reduce<Point | null>((best, point) => (best && best.callsPerSecond >= point.callsPerSecond ? best : point), null)
}
