# Writes figures.json: series of contests, and their metrics as NumPy and pandas work them out.
#
#   python3 test/data/metrics/figures.py > test/data/metrics/figures.json && npm run format
#
# The formulas are written from their sources, in other steps than in src/backtest/metrics: equity as a pandas series,
# streaks as runs, the normal quantiles by the standard library.

import json
import math
import statistics
import sys

import numpy
import pandas

MICRO = 1_000_000
LEAST_FOR_RATIO = 30
LEAST_FOR_NEEDED = 10


def series(seed, count, win_share, rake=0.05, extras=True):
    """Contests as [result, stake, profit]; result None is a cancelled one."""
    random = numpy.random.default_rng(seed)
    contests = []
    for _ in range(count):
        stake = int(random.choice([1, 2, 5])) * MICRO + int(random.integers(0, 3)) * 250_001
        luck = random.random()
        if extras and luck < 0.04:
            contests.append(['REFUND', stake, 0])
        elif extras and luck < 0.07:
            contests.append([None, stake, 0])
        elif extras and luck < 0.11:
            contests.append(['DRAW', stake, -int(stake * rake)])
        elif random.random() < win_share:
            seats = int(random.choice([2, 2, 2, 4]))
            contests.append(['WIN', stake, int(stake * seats * (1 - rake)) - stake])
        else:
            contests.append(['LOSS', stake, -stake])
    return contests


def metrics(bankroll, contests):
    frame = pandas.DataFrame(contests, columns=['result', 'stake', 'profit'])
    settled = frame[frame.result.notna()]
    decided = settled[settled.result != 'REFUND']
    count = len(decided)
    none = dict.fromkeys(
        'roi winRate sharpe sortino calmar maxDrawdown profitFactor expectancy sqn longestLosingStreak edgeNeeds'.split()
    )
    if count == 0:
        return none
    returns = (decided.profit.astype('float64') / decided.stake.astype('float64')).to_numpy()
    equity = pandas.Series([bankroll, *(bankroll + frame.profit.cumsum())], dtype='float64')
    peak = equity.cummax()
    drawdowns = ((peak - equity) / peak)[peak > 0]
    drawdown = float(drawdowns.max()) if bankroll > 0 or len(drawdowns) > 0 else None
    made = float(decided.profit.clip(lower=0).sum())
    lost = float(-decided.profit.clip(upper=0).sum())
    is_loss = decided.result.eq('LOSS')
    streaks = is_loss.groupby((is_loss != is_loss.shift()).cumsum()).sum()
    figures = none | {
        'roi': float(settled.profit.sum()) / float(settled.stake.sum()),
        'winRate': float((decided.result == 'WIN').mean()),
        'maxDrawdown': drawdown,
        'profitFactor': made / lost if lost > 0 else None,
        'expectancy': float(returns.mean()),
        'longestLosingStreak': int(streaks.max()),
    }
    varies = len(numpy.unique(returns)) > 1
    if count >= LEAST_FOR_RATIO:
        downside = math.sqrt(float(numpy.square(returns[returns < 0]).sum()) / count)
        if varies:
            figures['sharpe'] = float(returns.mean() / returns.std(ddof=1))
            figures['sqn'] = float(returns.mean() / (returns.std(ddof=1) / math.sqrt(count)))
        if downside > 0:
            figures['sortino'] = float(returns.mean()) / downside
        if bankroll > 0 and drawdown:
            figures['calmar'] = float(frame.profit.sum()) / bankroll / drawdown
    if count >= LEAST_FOR_NEEDED and varies:
        normal = statistics.NormalDist()
        z = normal.inv_cdf(0.975) + normal.inv_cdf(0.8)
        figures['edgeNeeds'] = math.ceil(z**2 * float(returns.var(ddof=1)) / float(returns.mean()) ** 2)
    return figures


CASES = {
    'two hundred contests with an edge': (100 * MICRO, series(7, 200, 0.6)),
    'two hundred contests without one': (100 * MICRO, series(11, 200, 0.45)),
    'thirty decided contests, the least for a ratio': (50 * MICRO, series(3, 30, 0.5, extras=False)),
    'twenty-nine decided contests': (50 * MICRO, series(3, 29, 0.5, extras=False)),
    'nothing played': (50 * MICRO, []),
    'refunded and cancelled alone': (50 * MICRO, [['REFUND', 2 * MICRO, 0], [None, MICRO, 0]]),
    'forty equal wins': (10 * MICRO, [['WIN', MICRO, 900_000]] * 40),
    'forty equal losses': (100 * MICRO, [['LOSS', MICRO, -MICRO]] * 40),
    'one win': (10 * MICRO, [['WIN', MICRO, 900_000]]),
    'wins and draws, nothing lost': (10 * MICRO, [['WIN', MICRO, 900_000], ['DRAW', MICRO, 0]] * 20),
    'refunds inside a losing streak': (
        20 * MICRO,
        [['LOSS', MICRO, -MICRO], ['REFUND', MICRO, 0], ['LOSS', MICRO, -MICRO], ['DRAW', MICRO, -50_000], ['LOSS', MICRO, -MICRO]],
    ),
    'an empty wallet': (0, series(5, 40, 0.5, extras=False)),
}

json.dump(
    {
        'origin': f'test/data/metrics/figures.py, Python {sys.version.split()[0]}, NumPy {numpy.__version__}, pandas {pandas.__version__}',
        'cases': [
            {'name': name, 'bankroll': bankroll, 'contests': contests, 'figures': metrics(bankroll, contests)}
            for name, (bankroll, contests) in CASES.items()
        ],
    },
    sys.stdout,
    indent=1,
)
print()
