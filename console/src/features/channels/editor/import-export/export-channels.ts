import { byteOrderMark, channelRoutes, csvLine } from '@tollgate/contract'

type Channel = channelRoutes.ChannelEntity

type ExportFormat = 'json' | 'csv'

/** Settings of a channel, without measurements. */
const exportedFields: readonly (channelRoutes.ChannelFieldName | 'type')[] = [
  'name',
  'type',
  ...channelRoutes.channelFieldNames.filter((name) => name !== 'name'),
]

/** Downloads the channels as a file, without keys, which never leave the server. */
export function exportChannels(rows: readonly Channel[], format: ExportFormat = 'json'): void {
  const isJson = format === 'json'
  const blob = new Blob([isJson ? jsonOfChannels(rows) : csvOfChannels(rows)], {
    type: isJson ? 'application/json' : 'text/csv;charset=utf-8',
  })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = `channels-${new Date().toISOString().slice(0, 10)}.${format}`
  link.click()
  // The click only starts the download.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Returns JSON that the import reads. */
export const jsonOfChannels = (rows: readonly Channel[]): string =>
  JSON.stringify({ channels: rows.map(settingsOf) }, null, 2)

const settingsOf = (row: Channel) => Object.fromEntries(exportedFields.map((field) => [field, row[field]]))

/** Starts with a byte order mark, so that spreadsheets read UTF-8. */
export const csvOfChannels = (rows: readonly Channel[]): string =>
  byteOrderMark + [exportedFields, ...rows.map(cellsOf)].map(csvLine).join('')

const cellsOf = (row: Channel) => exportedFields.map((field) => row[field])
