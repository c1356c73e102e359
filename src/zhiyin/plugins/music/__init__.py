"""Music itself: theory, MIDI and its text form, synthesis, stimuli, and the solvers."""

from zhiyin.extensions import Command, ModelKind

COMMANDS = {
    "hearing": Command(
        "what a model hears, on one page to be shown",
        "zhiyin.plugins.music.commands",
        group="read results",
        prints=True,
    ),
    "listen": Command(
        "what the reference listener hears in a recording",
        "zhiyin.plugins.music.commands",
        group="make",
        prints=True,
    ),
}
LISTENER = ModelKind(
    "zhiyin.plugins.music.listener.model:open_listener",
    {"listener": "the reference listener: classical signal processing"},
    place="here",
)
