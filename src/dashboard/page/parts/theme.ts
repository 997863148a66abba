export type Theme = 'system' | 'light' | 'dark'

const KEY = 'theme'
/** What is drawn, and not dressed by the style sheet, has to be drawn again. */
export const themeChanges = new EventTarget()
const again = () => themeChanges.dispatchEvent(new Event('change'))
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again)

export function savedTheme(): Theme {
  const saved = localStorage.getItem(KEY)
  return saved === 'light' || saved === 'dark' ? saved : 'system'
}

export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  again()
}

/** A colour of the style sheet as a canvas takes it, in the theme of now. */
export function colour(name: string): string {
  probe.style.color = `var(--${name})`
  if (!probe.isConnected) document.body.append(probe)
  return getComputedStyle(probe).color
}

const probe = document.createElement('span')
probe.hidden = true
