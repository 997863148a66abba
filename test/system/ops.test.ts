import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

  test('a rule that is none is found out', () => {
    expect(() => promtool('check', 'rules', 'grafana.json')).toThrow()
  })
})
