import { Button } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import classes from './composer.module.css'

const examples = ['explain', 'code', 'translate'] as const

/** Questions to begin with. They are filled in, not sent: a call costs money. */
export function Examples({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { t } = useTranslation('playground')
  return (
    <div className={classes.examples} role="group" aria-label={t('example.label')}>
      {examples.map((name) => (
        <Button key={name} variant="default" radius="xl" fw={400} onClick={() => onChoose(t(`example.${name}`))}>
          {t(`example.${name}`)}
        </Button>
      ))}
    </div>
  )
}
