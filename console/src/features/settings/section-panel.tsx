import { Alert, Paper, Title } from '@mantine/core'
import type { OptionKey, OptionSection } from '@tollgate/contract'

import { ErrorText } from '../../lib/error-text'
import { OptionRow } from './option-row'
import classes from './settings.module.css'
import type { Settings } from './use-settings'

interface SectionPanelProps {
  readonly title: string
  readonly section: OptionSection
  readonly keys: readonly OptionKey[]
  readonly settings: Settings
}

/** Options that belong together; above them, why the server refused to save them. */
export function SectionPanel({ title, section, keys, settings }: SectionPanelProps) {
  const refusal = settings.sectionRefusal(section)
  return (
    <section>
      <Title order={2} fz="md" mb="xs">
        {title}
      </Title>
      {refusal && (
        <Alert color="red" mb="xs" role="alert">
          <ErrorText error={refusal} />
        </Alert>
      )}
      <Paper className={classes.panel}>
        {keys.map((key) => (
          <OptionRow key={key} optionKey={key} settings={settings} />
        ))}
      </Paper>
    </section>
  )
}
