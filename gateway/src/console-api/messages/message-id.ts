import { AppError } from '../../platform/app-error'

/** Parses the id in a path. @throws AppError `message.id`. */
export function messageId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw new AppError('message.id')
  return id
}
