import { Progress } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

/** Progress bar of a run over all channels. Loaded only during a run. */
export function RunBar({ run, label }: { readonly run: channelRoutes.RunProgress; readonly label: string }) {
  return <Progress value={(run.done / Math.max(run.total, 1)) * 100} aria-label={label} />
}
