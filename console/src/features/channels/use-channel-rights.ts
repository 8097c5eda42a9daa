import { useViewer } from '../../lib/api/session'

/** What the reader may do on the page of channels. */
export function useChannelRights() {
  const { may } = useViewer()
  return { mayWrite: may('channels.write'), mayEnterKeys: may('keys.write') }
}
