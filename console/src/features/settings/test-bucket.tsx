import { Button, Paper, Text } from '@mantine/core'
import { optionRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useWrite } from '../../lib/api/query'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

/** Uses the bucket with the saved settings. */
export function TestBucket({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation('setting-tests')
  const { mutate, isPending } = useWrite(optionRoutes.testBucket, { onSuccess: () => notifySuccess(t('bucket.works')) })
  if (!settings.mayWrite('TaskBucketEndpoint')) return null
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('bucket.hint')}
      </Text>
      <div>
        <Button variant="default" loading={isPending} onClick={() => mutate({})}>
          {t('bucket.test')}
        </Button>
      </div>
    </Paper>
  )
}
