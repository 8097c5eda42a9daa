/** The actions of midjourney-proxy. */
export type DrawingAction =
  | 'IMAGINE'
  | 'UPSCALE'
  | 'VARIATION'
  | 'HIGH_VARIATION'
  | 'LOW_VARIATION'
  | 'PAN'
  | 'DESCRIBE'
  | 'BLEND'
  | 'UPLOAD'
  | 'SHORTEN'
  | 'REROLL'
  | 'INPAINT'
  | 'ZOOM'
  | 'CUSTOM_ZOOM'
  | 'MODAL'
  | 'SWAP_FACE'
  | 'EDITS'
  | 'VIDEO'

/** Returns the name under which channels list an action and prices are set. */
export const modelOfAction = (action: DrawingAction): string =>
  action === 'SWAP_FACE' ? 'swap_face' : `mj_${action.toLowerCase()}`

/** The first that matches what a button says it does. */
const buttons: readonly (readonly [RegExp, DrawingAction])[] = [
  [/^MJ::JOB::upsample/, 'UPSCALE'],
  [/^MJ::JOB::low_variation\b/, 'LOW_VARIATION'],
  [/^MJ::JOB::high_variation\b/, 'HIGH_VARIATION'],
  [/^MJ::JOB::variation\b/, 'VARIATION'],
  [/^MJ::JOB::pan_/, 'PAN'],
  [/^MJ::JOB::reroll\b/, 'REROLL'],
  [/^MJ::JOB::(?:animate|video)/, 'VIDEO'],
  [/^MJ::Outpaint\b/, 'ZOOM'],
  [/^MJ::CustomZoom\b/, 'CUSTOM_ZOOM'],
  [/^MJ::Inpaint\b/, 'INPAINT'],
  [/^MJ::Picread::Retry\b/, 'DESCRIBE'],
  [/^MJ::Job::(?:PicReader|PromptAnalyzer)/i, 'IMAGINE'],
]

/** Returns what the button with this custom id does, as in `MJ::JOB::upsample::2::<hash>`; null for one that draws nothing. */
export const actionOfButton = (customId: string): DrawingAction | null =>
  buttons.find(([pattern]) => pattern.test(customId))?.[1] ?? null

/** A change of one of the four images of a task, or of all. */
export interface DrawingChange {
  readonly taskId: string
  readonly action: 'UPSCALE' | 'VARIATION' | 'REROLL'
  /** 1 to 4; absent for a reroll. */
  readonly index?: number
}

const simple = /^\s*(\S+)\s+(?:([uv])([1-4])|r)\s*$/i

/** Reads a change as people type it: `<task id> U1`, `<task id> V3` or `<task id> R`; null for anything else. */
export function changeIn(content: string): DrawingChange | null {
  const [found, taskId, kind, index] = simple.exec(content) ?? []
  if (found === undefined || taskId === undefined) return null
  if (kind === undefined || index === undefined) return { taskId, action: 'REROLL' }
  return { taskId, action: kind.toLowerCase() === 'u' ? 'UPSCALE' : 'VARIATION', index: Number(index) }
}
