export function isFit(version: string): boolean;
export function compareVersions(left: string, right: string): number;
export function runOnFitNode(launcherUrl: string, unanswered?: number | false): void;
