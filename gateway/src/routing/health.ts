/** What this worker has seen of its channels. In memory; the database knows only what was disabled. */
export interface Health {
  /** Whether the breaker lets a call through now. A half-open breaker lets one probe through. */
  isAvailable(channelId: number): boolean
  succeeded(channelId: number): void
  failed(channelId: number): void
}
