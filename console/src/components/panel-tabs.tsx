import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelTab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly panel: ReactNode
}

interface PanelTabsProps<Name extends string> {
  readonly tabs: readonly PanelTab<Name>[]
  /** Initial tab; by default the first. */
  readonly initial?: Name
}

/** Tabs of a dialog or a drawer; a single one has no tab bar. Pages use `RouteTabs`. */
export function PanelTabs<Name extends string>({ tabs, initial }: PanelTabsProps<Name>) {
  return (
    <Tabs defaultValue={initial ?? tabs[0]?.name} keepMounted={false}>
      {tabs.length > 1 && (
        <Tabs.List mb="sm">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} className="figures">
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      )}
      {tabs.map(({ name, panel }) => (
        <Tabs.Panel key={name} value={name}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
