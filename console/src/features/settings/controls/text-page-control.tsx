import { Box, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'

import { SiteText } from '../../../components/texts/site-text'
import { useTranslation } from '../../../lib/text/i18n'
import classes from '../settings.module.css'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'

/** Markdown or HTML with a preview. */
export function TextPageControl(props: ControlProps) {
  const { value, field } = props
  const { t } = useTranslation('settings')
  const [view, setView] = useState<'edit' | 'preview'>('edit')
  return (
    <div className={classes.tabled}>
      <div className={classes.view}>
        <SegmentedControl
          size="xs"
          aria-label={t('view.of', { name: field.label })}
          value={view}
          onChange={(chosen) => setView(chosen === 'preview' ? 'preview' : 'edit')}
          data={[
            { value: 'edit', label: t('view.edit') },
            { value: 'preview', label: t('view.preview') },
          ]}
        />
      </div>
      {view === 'edit' ? (
        <CodeControl {...props} />
      ) : (
        <>
          <div className={classes.label}>{field.label}</div>
          <Box className={classes.preview} role="region" aria-label={field.label} tabIndex={0}>
            {value.trim() === '' ? (
              <Text size="sm" c="dimmed">
                {t('view.empty')}
              </Text>
            ) : (
              <SiteText text={value} title={field.label} />
            )}
          </Box>
        </>
      )}
    </div>
  )
}
