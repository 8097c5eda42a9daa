import { Button, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'

import { useTranslation } from '../../lib/text/i18n'
import classes from './settings.module.css'

/** Links to the results of these settings. */
export function PriceSyncLink() {
  const { t } = useTranslation('settings')
  return (
    <Paper className={classes.extra}>
      <Text size="sm" c="dimmed">
        {t('priceSync.hint')}
      </Text>
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/admin/prices/sync" {...props} />}
        style={{ justifySelf: 'start' }}
      >
        {t('priceSync.open')}
      </Button>
    </Paper>
  )
}
