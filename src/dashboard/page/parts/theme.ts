import { sayThemeChanged } from '../../../charts/charts.js'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'

export function savedTheme(): Theme {
  const saved = localStorage.getItem(KEY)
  return saved === 'light' || saved === 'dark' ? saved : 'system'
}

export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  sayThemeChanged()
}
