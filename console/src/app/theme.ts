import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Cobalt: the only accent colour. */
const accent: MantineColorsTuple = [
  '#eef3ff',
  '#dbe5fd',
  '#b4c8f9',
  '#8aa8f5',
  '#678cf1',
  '#4a74ec',
  '#3763e4',
  '#2a55d4',
  '#2148b4',
  '#193a94',
]

/** Neutral with a cool tint; the darkest are backgrounds of the dark theme. */
const gray: MantineColorsTuple = [
  '#f8f9fa',
  '#f1f3f5',
  '#e6e8eb',
  '#d7dbdf',
  '#c1c8cd',
  '#9aa2aa',
  '#687076',
  '#4b5258',
  '#2f353a',
  '#1a1d21',
]

const dark: MantineColorsTuple = [
  '#d5d9de',
  '#b4bac1',
  '#969da6',
  '#6d757e',
  '#3c434f',
  '#2d333e',
  '#222731',
  '#181b22',
  '#12151b',
  '#0f1116',
]

const fontFamily =
  'Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif'
const fontFamilyMonospace = 'ui-monospace, SFMono-Regular, "JetBrains Mono", Menlo, Consolas, monospace'

/** The build leaves the kit's other colours out. */
type Color = 'accent' | 'blue' | 'dark' | 'gray' | 'green' | 'lime' | 'orange' | 'red' | 'yellow'

declare module '@mantine/core' {
  export interface MantineThemeColorsOverride {
    readonly colors: Record<Color | 'dimmed' | 'white' | `var(--${string})`, MantineColorsTuple>
  }
}

/** Calm, dense, precise. Behaviour and defaults are here; styles that need selectors are in theme.css. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  colors: { accent, gray, dark },
  fontFamily,
  fontFamilyMonospace,
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-sm)',
    md: 'var(--text-md)',
    lg: 'var(--text-lg)',
    xl: 'var(--text-xl)',
  },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--text-2xl)' },
      h2: { fontSize: 'var(--text-xl)' },
      h3: { fontSize: 'var(--text-lg)' },
      h4: { fontSize: 'var(--text-md)' },
    },
  },
  defaultRadius: 'md',
  radius: {
    xs: 'var(--radius-xs)',
    sm: 'var(--radius-sm)',
    md: 'var(--radius-md)',
    lg: 'var(--radius-lg)',
    xl: 'var(--radius-xl)',
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // The specification's phone width.
  breakpoints: { xs: '37.5em', sm: '48em', md: '62em', lg: '75em', xl: '88em' },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 30 } },
    TextInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'sm', comboboxProps: { shadow: 'md' } } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true, maw: 360 } },
    Menu: { defaultProps: { shadow: 'md', radius: 'lg' } },
    Modal: { defaultProps: { radius: 'xl', overlayProps: { backgroundOpacity: 0.45 } } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.35 } } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', size: 'sm', tt: 'none', fw: 500 },
      // A status label is never truncated.
      styles: { root: { maxWidth: 'none', flexShrink: 0 }, label: { overflow: 'visible' } },
    },
    // The kit renders a <header>, which would count as a second banner of the page.
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    // Room for the focus ring of the field.
    InputWrapper: { styles: { label: { marginBottom: 3 } } },
    Paper: {
      defaultProps: { radius: 'lg', withBorder: true },
      styles: { root: { borderColor: 'var(--line)', backgroundColor: 'var(--panel)' } },
    },
    Table: { defaultProps: { borderColor: 'var(--line)' } },
    SegmentedControl: { styles: { root: { backgroundColor: 'var(--track)' } } },
  },
})

/** Background of white text. */
const filledRed = { '--mantine-color-red-filled': '#cf2a2a', '--mantine-color-red-filled-hover': '#b92323' } as const

/** Overrides of kit variables whose contrast is too low: AA on every background. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': 'var(--panel)',
    '--mantine-color-dimmed': 'var(--quiet-text)',
    '--mantine-color-placeholder': '#6c747c',
    '--mantine-color-error': '#c42424',
    ...filledRed,
    '--mantine-color-yellow-light-color': 'var(--warn-text)',
    '--mantine-color-orange-light-color': '#a33b06',
    '--mantine-color-green-light-color': 'var(--good-text)',
    '--mantine-color-red-light-color': 'var(--bad-text)',
    '--mantine-color-blue-light-color': '#1560a8',
    '--mantine-color-lime-light-color': '#3d5f0a',
    '--mantine-color-gray-light-color': 'var(--quiet-text)',
    '--mantine-color-gray-light': 'var(--quiet-soft)',
    '--mantine-color-green-light': 'var(--good-soft)',
    '--mantine-color-red-light': 'var(--bad-soft)',
    '--mantine-color-yellow-light': 'var(--warn-soft)',
  },
  dark: {
    '--mantine-color-body': 'var(--panel)',
    '--mantine-color-dimmed': 'var(--quiet-text)',
    '--mantine-color-placeholder': '#8a929a',
    '--mantine-color-error': '#ff7b7b',
    ...filledRed,
    // The kit's values are darker than the panels below them.
    '--mantine-color-gray-light': 'var(--quiet-soft)',
    '--mantine-color-gray-light-hover': 'var(--track)',
    '--mantine-color-gray-light-color': 'var(--quiet-text)',
    '--mantine-color-green-light': 'var(--good-soft)',
    '--mantine-color-green-light-color': 'var(--good-text)',
    '--mantine-color-red-light': 'var(--bad-soft)',
    '--mantine-color-red-light-color': 'var(--bad-text)',
    '--mantine-color-yellow-light': 'var(--warn-soft)',
    '--mantine-color-yellow-light-color': 'var(--warn-text)',
    '--mantine-color-accent-light': '#1c2a55',
    '--mantine-color-accent-light-hover': '#233467',
  },
})
