import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

// What docs/ops offers to Prometheus, asked of Prometheus' own tool (Debian: the package prometheus). A missing tool is red.

const promtool = (...args: readonly string[]): string =>
  execFileSync('promtool', args, { encoding: 'utf8', cwd: 'docs/ops', stdio: 'pipe' })

describe('docs/ops', () => {
  test('the rules are rules, and the configuration is one', () => {
    const rules = readFileSync('docs/ops/alerts.yml', 'utf8').match(/- alert:/g)?.length
    expect(promtool('check', 'rules', 'alerts.yml')).toContain(`SUCCESS: ${rules} rules found`)
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('is valid prometheus config file syntax')
  })

  test('they fire when they are to, and only then', () => {
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
  })

  test('what the dashboard asks for can be asked', () => {
    const { panels } = JSON.parse(readFileSync('docs/ops/grafana.json', 'utf8')) as { panels: { targets?: { expr: string }[] }[] }
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$bot', '.*')))
    const rules = asked.map((expr, index) => ({ record: `panel:${index}`, expr }))
    const folder = mkdtempSync(join(tmpdir(), 'ops-'))
    try {
      const file = join(folder, 'panels.yml')
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
      expect(promtool('check', 'rules', file)).toContain(`SUCCESS: ${asked.length} rules found`)
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(asked.length).toBeGreaterThan(20)
  })

  test('a rule that is none is found out', () => {
    expect(() => promtool('check', 'rules', 'grafana.json')).toThrow()
  })
})
