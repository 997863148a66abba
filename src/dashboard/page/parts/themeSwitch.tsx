import { useState } from 'preact/hooks'
import { applyTheme, savedTheme, type Theme } from './theme.ts'

const NAMES: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' }

export function ThemeSwitch() {
  const [theme, setTheme] = useState(savedTheme)
  const change = (next: Theme) => {
    applyTheme(next)
    setTheme(next)
  }
  return (
    <label class="theme">
      Theme{' '}
      <select value={theme} onChange={({ currentTarget }) => change(currentTarget.value as Theme)}>
        {Object.entries(NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
