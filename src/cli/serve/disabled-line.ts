/** What a person is told where `llm.mode` in the config has us leave all models alone. */
export const DISABLED_LINE = 'llm.mode is "disabled": what models call is neither decided nor recorded';
