export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORAGE_KEY = 'assay-theme';

/** Light, dark, or what the system says; kept for the next visit where the browser allows it. */
class ThemeChoice {
  #choice = $state<Theme>(remembered());
  #system = matchMedia('(prefers-color-scheme: dark)');
  #systemIsDark = $state(this.#system.matches);

  constructor() {
    this.#system.addEventListener('change', (event) => {
      this.#systemIsDark = event.matches;
      this.#apply();
    });
    this.#apply();
  }

  get choice(): Theme {
    return this.#choice;
  }

  set choice(theme: Theme) {
    this.#choice = theme;
    try {
      localStorage.setItem(STORAGE_KEY, theme);
    } catch {
      // Private windows may refuse storage; the choice then lasts as long as the page.
    }
    this.#apply();
  }

  /** Whether the page is dark now; pictures and editors follow it. */
  get isDark(): boolean {
    return this.#choice === 'dark' || (this.#choice === 'system' && this.#systemIsDark);
  }

  #apply(): void {
    document.documentElement.dataset['theme'] = this.isDark ? 'dark' : 'light';
  }
}

function remembered(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? 'system';
  } catch {
    // As above: storage may be refused.
    return 'system';
  }
}

export const theme = new ThemeChoice();
