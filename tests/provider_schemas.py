"""JSON schemas of the requests that providers publish, as much of each as a request of ours holds.

Written by hand from the providers' own references; nothing that is not named there is allowed.

OpenAI      platform.openai.com/docs/api-reference/chat/create, .../responses/create
Mistral     docs.mistral.ai/api, "Chat Completion"
DashScope   help.aliyun.com/en/model-studio/qwen-api-via-openai-chat-completions
Gemini      ai.google.dev/api/generate-content, ai.google.dev/api/caching#Content
Anthropic   platform.claude.com/docs/en/api/messages
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
BASE64 = r"^[A-Za-z0-9+/]+={0,2}$"
DATA_URL = r"^data:image/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$"


def an(required: str, **properties: Any) -> Schema:
    """An object with these properties and no others; `required` are named in one text."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def some(items: Schema) -> Schema:
    return {"type": "array", "minItems": 1, "items": items}


def either(*schemas: Schema) -> Schema:
    return {"oneOf": list(schemas)}


def within(low: float, high: float) -> Schema:
    return {"type": "number", "minimum": low, "maximum": high}


TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 1}
ROLE: Schema = {"enum": ["system", "user", "assistant"]}
FORM = an(
    "type json_schema",
    type={"const": "json_schema"},
    json_schema=an("name schema", name=TEXT, schema={"type": "object"}, strict=FLAG),
)
EFFORT: Schema = {"enum": ["none", "minimal", "low", "medium", "high", "xhigh", "max"]}
WORDS = an("type text", type={"const": "text"}, text=TEXT)
PICTURE = an(
    "type image_url",
    type={"const": "image_url"},
    image_url=an("url", url={"type": "string", "pattern": DATA_URL}),
)


def sound(data: str, formats: list[str]) -> Schema:
    inner = an("data format", data={"type": "string", "pattern": data}, format={"enum": formats})
    return an("type input_audio", type={"const": "input_audio"}, input_audio=inner)


def chat(content: list[Schema], **more: Schema) -> Schema:
    """Chat completions with these parts of content, and further properties."""
    message = an("role content", role=ROLE, content=either(TEXT, some(either(*content))))
    return an(
        "model messages",
        model=TEXT,
        messages=some(message),
        temperature=within(0, 2),
        top_p=within(0, 1),
        response_format=FORM,
        **more,
    )


OPENAI = chat(
    [WORDS, PICTURE, sound(BASE64, ["wav", "mp3"])],
    max_tokens=COUNT,
    max_completion_tokens=COUNT,
    seed={"type": "integer"},
    reasoning_effort=EFFORT,
    logprobs=FLAG,
    top_logprobs={"type": "integer", "minimum": 0, "maximum": 20},
)

MISTRAL = chat(
    [
        WORDS,
        an(
            "type image_url",
            type={"const": "image_url"},
            image_url={"type": "string", "pattern": DATA_URL},
        ),
        an(
            "type input_audio",
            type={"const": "input_audio"},
            input_audio={"type": "string", "pattern": BASE64},
        ),
    ],
    max_tokens=COUNT,
    random_seed={"type": "integer"},
    top_k=COUNT,
    reasoning_effort=EFFORT,
)

DASHSCOPE = chat(
    [WORDS, PICTURE, sound("^data:;base64," + BASE64[1:], ["wav", "mp3", "amr", "aac"])],
    max_tokens=COUNT,
    seed={"type": "integer"},
    top_k=COUNT,
    stream={"const": True},
    stream_options=an("include_usage", include_usage={"const": True}),
    modalities={"const": ["text"]},
    enable_thinking=FLAG,
    thinking_budget=COUNT,
)
DASHSCOPE["required"] += ["stream", "stream_options"]

RESPONSES = an(
    "model input",
    model=TEXT,
    input=some(
        an(
            "role content",
            role=ROLE,
            content=either(
                TEXT,
                some(
                    either(
                        an("type text", type={"const": "input_text"}, text=TEXT),
                        an(
                            "type image_url",
                            type={"const": "input_image"},
                            detail={"enum": ["low", "high", "auto"]},
                            image_url={"type": "string", "pattern": DATA_URL},
                        ),
                    )
                ),
            ),
        )
    ),
    store=FLAG,
    temperature=within(0, 2),
    top_p=within(0, 1),
    max_output_tokens=COUNT,
    include=some({"enum": ["message.output_text.logprobs", "reasoning.encrypted_content"]}),
    top_logprobs={"type": "integer", "minimum": 0, "maximum": 20},
    reasoning=an("effort", effort=EFFORT, summary={"enum": ["auto", "concise", "detailed"]}),
    text=an(
        "format",
        format=an(
            "type name schema",
            type={"const": "json_schema"},
            name=TEXT,
            schema={"type": "object"},
            strict=FLAG,
        ),
    ),
)

_INLINE = {"data": {"type": "string", "pattern": r"^[A-Za-z0-9+/_-]+={0,2}$"}}
_MIME: Schema = {
    "enum": [
        "image/png", "image/jpeg", "image/webp", "image/gif", "audio/wav", "audio/mp3",
        "audio/aiff", "audio/aac", "audio/ogg", "audio/flac",
    ]
}  # fmt: skip


def _blob(**properties: Schema) -> Schema:
    """The package writes some names in snake case, which the API takes as well."""
    (name,) = properties
    return either(
        an(f"{name} mimeType", mimeType=_MIME, **properties),
        an(f"{name} mime_type", mime_type=_MIME, **properties),
    )


_PART = either(
    an("text", text=TEXT),
    an("inlineData", inlineData=_blob(**_INLINE)),
    an("fileData", fileData=either(_blob(fileUri=TEXT), _blob(file_uri=TEXT))),
)


def _content(role: Schema, needed: str) -> Schema:
    return an(needed, role=role, parts=some(_PART))


GEMINI = an(
    "contents",
    contents=some(_content({"enum": ["user", "model"]}, "role parts")),
    systemInstruction=_content({"enum": ["user", "system"]}, "parts"),
    generationConfig=an(
        "",
        temperature=within(0, 2),
        topP=within(0, 1),
        topK={"type": "number", "minimum": 1},
        seed={"type": "integer"},
        maxOutputTokens=COUNT,
        responseLogprobs=FLAG,
        logprobs={"type": "integer", "minimum": 0, "maximum": 20},
        responseMimeType={"const": "application/json"},
        responseJsonSchema={"type": "object"},
        thinkingConfig=either(
            an("thinkingBudget", thinkingBudget={"type": "integer"}, includeThoughts=FLAG),
            an("thinking_budget", thinking_budget={"type": "integer"}, include_thoughts=FLAG),
            an("thinkingLevel", thinkingLevel={"enum": ["LOW", "HIGH"]}, includeThoughts=FLAG),
            an("thinking_level", thinking_level={"enum": ["LOW", "HIGH"]}, include_thoughts=FLAG),
        ),
    ),
)

ANTHROPIC = an(
    "model max_tokens messages",
    model=TEXT,
    max_tokens=COUNT,
    stream=FLAG,
    system=TEXT,
    temperature=within(0, 1),
    top_p=within(0, 1),
    top_k=COUNT,
    messages=some(
        an(
            "role content",
            role={"enum": ["user", "assistant"]},
            content=either(
                TEXT,
                some(
                    either(
                        WORDS,
                        an(
                            "type source",
                            type={"const": "image"},
                            source=an(
                                "type media_type data",
                                type={"const": "base64"},
                                media_type={"enum": _MIME["enum"][:4]},
                                data={"type": "string", "pattern": BASE64},
                            ),
                        ),
                    )
                ),
            ),
        )
    ),
    thinking=either(
        an("type budget_tokens", type={"const": "enabled"}, budget_tokens=COUNT),
        an("type", type={"const": "disabled"}),
        an("type", type={"const": "adaptive"}, display={"enum": ["summarized", "omitted"]}),
    ),
    output_config=an(
        "",
        effort={"enum": ["low", "medium", "high", "xhigh", "max"]},
        format=an("type schema", type={"const": "json_schema"}, schema={"type": "object"}),
    ),
)


def validate(request: object, schema: dict[str, Any]) -> None:
    """Raise unless a request is of a schema. Importing jsonschema takes a second: not before."""
    import jsonschema

    jsonschema.validate(request, schema)
