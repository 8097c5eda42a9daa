import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { IconRepeat } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { handDraft } from '../../lib/url/playground-draft'
import type { Task } from './task'

/** What the playground makes, by platform and action, where a prompt alone describes it. */
const makes: Readonly<Record<string, 'images' | 'songs' | 'videos'>> = {
  'image GENERATE': 'images',
  'suno MUSIC': 'songs',
  'video GENERATE': 'videos',
}

const makeOf = ({ platform, action }: Task) => makes[`${platform} ${action}`]

/** Whether the playground can make again what was asked for. */
export const canMakeAgain = (task: Task): boolean => makeOf(task) !== undefined && task.prompt !== ''

/** Opens the playground with all that is kept of a task's request. It costs nothing before the reader sends it. */
export function AgainButton({ task }: { readonly task: Task }) {
  const { t } = useTranslation('tasks')
  const navigate = useNavigate()
  const { model, prompt, group, parameters, notKept } = task
  const open = () => {
    handDraft({ model, messages: [{ role: 'user', content: prompt }], group, parameters, notKept })
    void navigate({ to: '/playground', search: { make: makeOf(task), draft: 1 } })
  }
  return (
    <Button variant="default" leftSection={<IconRepeat size={14} />} onClick={open}>
      {t('again')}
    </Button>
  )
}
