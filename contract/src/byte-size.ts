const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.2 GB`, in powers of 1024. */
export function formatBytes(bytes: number): string {
  const index = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** index
  return `${value.toFixed(index === 0 || value >= 100 ? 0 : 1).replace('.0', '')} ${units[index]}`
}
