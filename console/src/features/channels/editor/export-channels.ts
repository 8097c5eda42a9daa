import type { channelRoutes } from '@tollgate/contract'

type Channel = channelRoutes.ChannelEntity

export type ExportFormat = 'json' | 'csv'

/** Hand the channels to the reader as a file. Keys are not in it: they never leave the server. */
export function exportChannels(rows: readonly Channel[], format: ExportFormat = 'json'): void {
  const text = format === 'json' ? JSON.stringify(rows, null, 2) : rows.map(({ name }) => name).join('\n')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = `channels.${format}`
  link.click()
  URL.revokeObjectURL(link.href)
}
