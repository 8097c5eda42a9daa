import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelTab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly panel: ReactNode
}

interface PanelTabsProps<Name extends string> {
  readonly tabs: readonly PanelTab<Name>[]
  /** The one that is open at first; by default the first. */
  readonly initial?: Name
}

/** The parts of a dialog or a drawer, of which one is drawn; a single one needs no tab. The parts of a page are `RouteTabs`. */
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
